"""What run.ts of the other generators does, by the client that openapi-generator makes for Python."""
import json, os

import openapi_client
from openapi_client.api.pets_api import PetsApi

configuration = openapi_client.Configuration(host=os.environ["BASE_URL"])
configuration.access_token = os.environ["API_KEY"]
pets = PetsApi(openapi_client.ApiClient(configuration))

created = pets.create_pet(openapi_client.NewPet(name="Rex", category_id=7, status="sold"))
got = pets.get_pet(created.id)
listed = pets.list_pets(limit=100)
# The client itself refuses what the document forbids.
pets.api_client.client_side_validation = False
try:
    pets.list_pets(limit=0)
    refused = None
except openapi_client.ApiException as error:
    refused = json.loads(error.body)["code"]

plain = pets.api_client.sanitize_for_serialization
print(json.dumps({"created": plain(created), "got": plain(got), "listed": plain(listed), "refused": refused}))

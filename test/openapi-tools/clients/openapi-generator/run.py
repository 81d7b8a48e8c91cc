"""What run.ts of the other generators does, by the client that openapi-generator makes for Python."""
import json, os, re

import openapi_client
from openapi_client.api.pets_api import PetsApi

configuration = openapi_client.Configuration(host=os.environ["BASE_URL"])
configuration.access_token = os.environ["API_KEY"]
pets = PetsApi(openapi_client.ApiClient(configuration))

created = pets.create_pet(openapi_client.NewPet(name="Rex", category_id=7, status="sold"))
got = pets.get_pet(created.id)
listed = pets.list_pets(limit=100)
walked, cursor = [], {}
while cursor is not None:
    page, _, headers = pets.list_pets_with_http_info(limit=2, **cursor)
    walked += [pet.id for pet in page]
    link = re.search(r'[?&]cursor=([^&>]*)[^>]*>; rel="next"', headers.get("Link", ""))
    cursor = link and {"cursor": link[1]}
# The client itself refuses what the document forbids.
pets.api_client.client_side_validation = False
try:
    pets.list_pets(limit=0)
    refused = None
except openapi_client.ApiException as error:
    refused = json.loads(error.body)["code"]

report = {"created": created, "got": got, "listed": listed, "refused": refused, "walked": walked}
print(json.dumps(pets.api_client.sanitize_for_serialization(report)))

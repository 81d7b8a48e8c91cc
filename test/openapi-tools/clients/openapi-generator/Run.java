import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PetsApi;
import org.openapitools.client.model.Animal;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.NewPet;
import org.openapitools.client.model.PetStatus;

/** What run.ts of the other generators does, by the client that openapi-generator makes for Java. */
public class Run {
  public static void main(String[] args) throws Exception {
    var base = URI.create(System.getenv("BASE_URL"));
    var client = new ApiClient().setScheme(base.getScheme()).setHost(base.getHost()).setPort(base.getPort()).setBasePath(base.getPath());
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    // Only an interceptor sees the header fields of a response.
    var links = new AtomicReference<String>();
    client.setResponseInterceptor(response -> links.set(response.headers().firstValue("Link").orElse("")));
    var pets = new PetsApi(client);

    Map<String, Object> report = new LinkedHashMap<>();
    Animal created = pets.createPet(new NewPet().name("Rex").categoryId(7L).status(PetStatus.SOLD), null);
    report.put("created", created);
    report.put("got", pets.getPet(created.getId(), null));
    report.put("listed", pets.listPets(10, null, PetStatus.SOLD, null));
    try {
      pets.listPets(0, null, null, null);
    } catch (ApiException error) {
      report.put("refused", client.getObjectMapper().readValue(error.getResponseBody(), Error.class).getCode());
    }
    List<Long> walked = new ArrayList<>();
    String cursor = null;
    do {
      pets.listPets(2, cursor, null, null).forEach(pet -> walked.add(pet.getId()));
      var next = Pattern.compile("[?&]cursor=([^&>]*)[^>]*>; rel=\"next\"").matcher(links.get());
      cursor = next.find() ? next.group(1) : null;
    } while (cursor != null);
    report.put("walked", walked);
    System.out.println(new ObjectMapper().writeValueAsString(report));
  }
}

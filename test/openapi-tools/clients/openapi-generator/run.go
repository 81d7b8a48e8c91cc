// What run.ts of the other generators does, by the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"os"
	"regexp"

	"openapi"
)

var next = regexp.MustCompile(`[?&]cursor=([^&>]*)[^>]*>; rel="next"`)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	pets := openapi.NewAPIClient(configuration).PetsApi
	key := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("API_KEY"))

	pet := openapi.NewPet{Name: "Rex", CategoryId: 7, Status: openapi.SOLD.Ptr()}
	created, _, err := pets.CreatePet(key).NewPet(pet).Execute()
	check(err)
	got, _, err := pets.GetPet(key, created.Id).Execute()
	check(err)
	listed, _, err := pets.ListPets(key).Limit(10).Status(openapi.SOLD).Execute()
	check(err)
	walked := []int64{}
	for request := pets.ListPets(key).Limit(2); ; {
		page, response, err := request.Execute()
		check(err)
		for _, pet := range page {
			walked = append(walked, pet.Id)
		}
		link := next.FindStringSubmatch(response.Header.Get("Link"))
		if link == nil {
			break
		}
		request = request.Cursor(link[1])
	}
	_, _, err = pets.ListPets(key).Limit(0).Execute()
	var refused openapi.Error
	check(json.Unmarshal(err.(openapi.GenericOpenAPIError).Body(), &refused))

	report := map[string]interface{}{"created": created, "got": got, "listed": listed, "refused": refused.Code, "walked": walked}
	check(json.NewEncoder(os.Stdout).Encode(report))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

import type { Client } from './running-app.js';

const NEXT = /<(?<path>[^>]*)>; rel="next"/;

/** The address of the page after the page in the response; `undefined` after the last page. */
export function nextPage({ headers }: { readonly headers: Headers }): string | undefined {
  return NEXT.exec(headers.get('link') ?? '')?.groups?.['path'];
}

/** All pets, read by following the links from the first page to the last page. */
export async function allPets<Pet>({ request }: Pick<Client, 'request'>): Promise<Pet[]> {
  const pets: Pet[] = [];
  for (let page: string | undefined = '/v1/pets?limit=100'; page !== undefined;) {
    const answer: Response = await request(page);
    pets.push(...((await answer.json()) as Pet[]));
    page = nextPage(answer);
  }
  return pets;
}

/** What the programs of the clients are told by the environment. */
export const SETTINGS = {
  baseUrl: process.env['BASE_URL'] ?? '',
  apiKey: process.env['API_KEY'] ?? '',
  /** Of a pet that is there. */
  petId: BigInt(process.env['PET_ID'] ?? 0),
  categoryId: BigInt(process.env['CATEGORY_ID'] ?? 0),
};

/** A page as the program of each generator reads it. */
interface Page {
  readonly pets: readonly { readonly id: number }[] | undefined;
  readonly headers: Headers | undefined;
}

/** Follows the links from page to page. @returns the ids of all pets */
export async function walk(read: (cursor: string | undefined) => Promise<Page>): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const { pets = [], headers } = await read(cursor);
    ids.push(...pets.map(({ id }) => id));
    cursor = /[?&]cursor=([^&>]*)[^>]*>; rel="next"/.exec(headers?.get('link') ?? '')?.[1];
  } while (cursor !== undefined);
  return ids;
}

/** Prints what a program found as JSON, each bigint as a text with an `n` at its end. */
export function report(find: () => Promise<object>): void {
  find().then(
    (found) => {
      console.log(JSON.stringify(withoutBigints(found)));
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBigints);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigints(member)]));
}

/** What the programs of the clients are told by the environment. */
export const SETTINGS = {
  baseUrl: process.env['BASE_URL'] ?? '',
  apiKey: process.env['API_KEY'] ?? '',
  /** Of a pet that is there. */
  petId: BigInt(process.env['PET_ID'] ?? 0),
  categoryId: BigInt(process.env['CATEGORY_ID'] ?? 0),
};

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

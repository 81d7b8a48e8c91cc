import { parseExactly } from '../exact-json.js';

// The generated functions call JSON.stringify themselves, which asks a bigint for this: so for all of the program.
Object.assign(BigInt.prototype, {
  toJSON(this: bigint) {
    return JSON.rawJSON(this.toString());
  },
});

const store = { baseUrl: '', apiKey: '' };

export function useStore(baseUrl: string, apiKey: string): void {
  Object.assign(store, { baseUrl, apiKey });
}

/** What the generated functions call with an address below the base, and expect their answer of. */
export async function exactFetch<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${store.apiKey}`);
  const response = await fetch(store.baseUrl + path, { ...init, headers });
  const text = await response.text();
  const data = text === '' ? undefined : parseExactly(text);
  return { data, status: response.status, headers: response.headers } as Answer;
}

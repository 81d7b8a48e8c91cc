import { SETTINGS } from '../run.js';

/** What the generated functions call with an address below the base, and expect their answer of. */
export async function plainFetch<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${SETTINGS.apiKey}`);
  const response = await fetch(SETTINGS.baseUrl + path, { ...init, headers });
  const data: unknown = await response.json();
  return { data, status: response.status, headers: response.headers } as Answer;
}

import { stringifyExactly } from '../exact-json.js';
import { client } from './exact-generated/client.gen.js';

/**
 * The generated transformers make a bigint of the text of each int64, but of a number that JSON.parse has rounded before.
 * So the large ones arrive as texts.
 */
function quoteLargeIntegers(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (_name, value: unknown, context?: { source?: string }) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value,
    ),
  );
}

export function useExactNumbers(baseUrl: string, apiKey: string): void {
  client.setConfig({ baseUrl, auth: apiKey, bodySerializer: stringifyExactly });
  client.interceptors.response.use(async (response) =>
    response.ok && response.body !== null
      ? new Response(quoteLargeIntegers(await response.text()), response)
      : response,
  );
}

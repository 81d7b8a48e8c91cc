import type { SourceTextJson } from '../json/exact-json.js';

/** The component of Swagger UI that shows the body of a response. */
type ResponseBody = new () => { render(): unknown };

/**
 * A plugin of Swagger UI. Swagger UI parses the body of a response and writes it with indentation, which rounds
 * integers beyond 2^53: 9007199254740993 would be shown as another category. With the plugin, the digits are shown as
 * they were sent.
 *
 * The browser gets the source text of this function, so it must not use anything from outside.
 */
export function exactNumbersPlugin() {
  return {
    wrapComponents: {
      responseBody: (Original: ResponseBody) =>
        class extends Original {
          override render(): unknown {
            const json = JSON as unknown as Pick<SourceTextJson, 'parse'> & Partial<SourceTextJson>;
            const { parse, rawJSON } = json;
            if (rawJSON === undefined) return super.render();
            json.parse = (text) =>
              parse(text, (_name, value, { source }) =>
                typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
              );
            try {
              return super.render();
            } finally {
              json.parse = parse;
            }
          }
        },
    },
  };
}

import type { SourceTextJson } from '../json/exact-json.js';

/** The part of Swagger UI that shows the body of an answer. */
type ResponseBody = new () => { render(): unknown };

/**
 * A plugin of Swagger UI, which indents the body of an answer by parsing it and writing it again: that rounds integers
 * beyond 2^53, and 9007199254740993 would be shown as another category. With this its digits are shown as they came.
 *
 * The browser gets it as its own text, so it uses nothing from outside.
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

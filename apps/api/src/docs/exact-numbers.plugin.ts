/** The part of Swagger UI that shows the body of an answer. */
type ResponseBody = new () => { render(): unknown };

/** `JSON` with what the types of this target do not know yet; browsers have it since 2025. */
interface SourceTextJson {
  parse: (text: string, reviver?: (name: string, value: unknown, context: { source: string }) => unknown) => unknown;
  readonly rawJSON?: (text: string) => unknown;
}

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
            const json = JSON as unknown as SourceTextJson;
            const { parse, rawJSON } = json;
            if (rawJSON === undefined) return super.render();
            json.parse = (text) =>
              parse(text, (_name, value, { source }) => (typeof value === 'number' ? rawJSON(source) : value));
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

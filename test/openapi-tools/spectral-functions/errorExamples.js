/** Each answer of 400 and above needs an example, and its examples the status of the answer and a code of the schema. */
export default function errorExamples(responses, _options, { path }) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) => {
      const { example, examples, schema } = content?.['application/json'] ?? {};
      const shown = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map(({ value }) => value),
      ];
      const codes = schema?.properties?.code?.enum ?? [];
      const faults = [
        ...(shown.length === 0 ? ['has no example'] : []),
        ...shown
          .filter((body) => body?.status !== Number(status))
          .map((body) => `has an example of status ${body?.status}`),
        ...shown.filter((body) => !codes.includes(body?.code)).map((body) => `has an example of code ${body?.code}`),
      ];
      return faults.map((fault) => ({ message: `${status} ${fault}`, path: [...path, status] }));
    });
}

import { runInNewContext } from 'node:vm';
import { exactNumbersPlugin } from './docs-page.js';

const NUMBERS =
  '{"id":9007199254740993,"categoryIds":[9223372036854775807,-9223372036854775808],"price":1.10,"name":"1"}';

/** What Swagger UI shows of a body, in a browser that has of `JSON` what `json` has; the text of the plugin is all it gets. */
function shown(body: string, setUp = ''): unknown {
  return runInNewContext(
    `${setUp}
    const parse = JSON.parse;
    class ResponseBody { render() { return JSON.stringify(JSON.parse(body)); } }
    const Shown = (${exactNumbersPlugin.toString()})().wrapComponents.responseBody(ResponseBody);
    let text;
    try { text = new Shown().render(); } catch (error) { text = error.name; }
    JSON.parse === parse ? text : 'JSON.parse is left changed';`,
    { body },
  );
}

describe('the body of a response in the documentation', () => {
  test('is shown with every number as it came', () => {
    expect(shown(NUMBERS)).toBe(NUMBERS);
  });

  test('is shown by a browser that knows only rounded numbers', () => {
    expect(shown('{"id":1}', 'delete JSON.rawJSON;')).toBe('{"id":1}');
  });

  test('is refused as before when it is not JSON', () => {
    expect(shown('<html>')).toBe('SyntaxError');
  });
});

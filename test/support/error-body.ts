/** What the service answers with whenever it does not succeed. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** An answer of `fetch` or of a raw connection. */
export interface AnswerWithText {
  readonly status: number;
  readonly headers: Headers;
  text(): string | Promise<string>;
}

/** The Error body of the answer. Fails unless the answer is one: its type, exactly three fields, the same status. */
export async function readError(answer: AnswerWithText): Promise<ErrorBody> {
  const text = await answer.text();
  const faults = faultsOfError(answer, text);
  if (faults.length > 0) throw new Error(`${answer.status} ${text.slice(0, 500)}\nis no Error: ${faults.join('; ')}`);
  return JSON.parse(text) as ErrorBody;
}

/** What keeps an answer from being an Error as the contract wants it; empty when it is one. */
export function faultsOfError({ status, headers }: Omit<AnswerWithText, 'text'>, text: string): string[] {
  const faults: string[] = [];
  if (status < 400) faults.push(`the status ${status} is no error`);
  if (headers.get('content-type') !== 'application/json')
    faults.push(`the type is ${headers.get('content-type') ?? 'missing'}`);
  if (headers.get('content-length') !== String(Buffer.byteLength(text)))
    faults.push('the length is not that of the body');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [...faults, 'the body is no JSON'];
  }
  const { code, message, status: told } = body as Record<string, unknown>;
  if (
    Object.keys(body as object)
      .sort()
      .join() !== 'code,message,status'
  )
    faults.push('the fields are not code, message, status');
  if (typeof code !== 'string' || !/^[a-z]+(?:_[a-z]+)*$/.test(code)) faults.push('the code is not in snake case');
  if (typeof message !== 'string' || message === '') faults.push('there is no message');
  if (told !== status) faults.push('the status in the body is another one');
  return faults;
}

/** The body of every response of the service that is not a success. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** A response from `fetch` or from a raw connection. */
interface AnswerWithText {
  readonly status: number;
  readonly headers: Headers;
  text(): string | Promise<string>;
}

/** The Error body of the response. Fails if the type, the status or the number of fields (exactly three) is wrong. */
export async function readError(answer: AnswerWithText): Promise<ErrorBody> {
  const text = await answer.text();
  const faults = faultsOfError(answer, text);
  if (faults.length > 0) throw new Error(`${answer.status} ${text.slice(0, 500)}\nis no Error: ${faults.join('; ')}`);
  return JSON.parse(text) as ErrorBody;
}

/** The differences between a response and the Error of the contract; empty if there are none. */
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

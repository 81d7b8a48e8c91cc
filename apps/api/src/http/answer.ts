/** What a handler returns when its answer has header fields of its own beside the body. */
export class Answer<Body> {
  constructor(
    readonly body: Body,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

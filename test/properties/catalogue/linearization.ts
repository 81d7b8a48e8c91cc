/** A call of a client: when it was sent and when it was answered, in the order of all events, and its operation. */
export interface Call<Operation> {
  readonly client: number;
  readonly sentAt: number;
  /** `Infinity` if no answer arrived: the call may have been carried out at any time since it was sent, or never. */
  readonly answeredAt: number;
  readonly operation: Operation;
}

/** The effects of operations that run one after the other. */
export interface Sequential<State, Operation> {
  readonly initial: State;
  /** Returns the next state, or `undefined` if the answer would have been different. A read returns the same object. */
  readonly apply: (state: State, operation: Operation) => State | undefined;
}

/** An order of calls that explains all answers; or the longest order that can be explained, and the calls that do not fit after it. */
export type Linearization<Operation> =
  | { readonly isLinearizable: true; readonly order: readonly Call<Operation>[] }
  | {
      readonly isLinearizable: false;
      readonly order: readonly Call<Operation>[];
      readonly stuck: readonly Call<Operation>[];
    };

/**
 * Whether the calls can be put in one order that explains every answer, and in which a call that was answered before another was sent
 * comes first: the search of Wing and Gong (Testing and Verifying Concurrent Objects, 1993), with Lowe's memory of what was tried.
 *
 * @param calls at most some hundred; apart from reads, the state must depend on which operations were carried out, not on their order
 */
export function linearize<State, Operation>(
  calls: readonly Call<Operation>[],
  { initial, apply }: Sequential<State, Operation>,
): Linearization<Operation> {
  const tried = new Set<bigint>();
  const order: Call<Operation>[] = [];
  let longest: { order: readonly Call<Operation>[]; stuck: readonly Call<Operation>[] } | undefined;

  const search = (state: State, done: bigint): boolean => {
    if (tried.has(done)) return false;
    tried.add(done);
    const open = calls
      .map((call, index) => ({ call, index }))
      .filter(({ index }) => (done & (1n << BigInt(index))) === 0n);
    const answered = open.filter(({ call }) => call.answeredAt !== Infinity);
    if (answered.length === 0) return true;
    const firstAnswer = Math.min(...answered.map(({ call }) => call.answeredAt));
    const candidates = open
      .filter(({ call }) => call.sentAt < firstAnswer)
      .map(({ call, index }) => ({ call, index, after: apply(state, call.operation) }))
      .filter(({ after }) => after !== undefined);
    if (candidates.length === 0 && order.length >= (longest?.order.length ?? 0)) {
      longest = {
        order: [...order],
        stuck: answered.filter(({ call }) => call.sentAt < firstAnswer).map(({ call }) => call),
      };
    }
    // A read that fits does not change the state for the other calls, so no other order can be better.
    const read = candidates.find(({ call, after }) => after === state && call.answeredAt !== Infinity);
    for (const { call, index, after } of read === undefined ? candidates : [read]) {
      order.push(call);
      if (search(after!, done | (1n << BigInt(index)))) return true;
      order.pop();
    }
    return false;
  };

  if (search(initial, 0n)) return { isLinearizable: true, order };
  return { isLinearizable: false, ...(longest ?? { order: [], stuck: [] }) };
}

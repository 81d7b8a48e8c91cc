import { PetReadModel, type PetPageQuery } from '@animal-store/pets-domain';
import type { RunningApp } from './running-app.js';

/**
 * Makes the service break its promise: a read returns the result of an equal read that is already in flight, although
 * the statement of the earlier read may have started before the new read arrived. A check must detect this fault.
 */
export function letReadsJoin({ app }: RunningApp, kind: 'findById' | 'findPage'): void {
  const catalogue = app.get(PetReadModel, { strict: false });
  if (kind === 'findById') catalogue.findById = joining(catalogue.findById.bind(catalogue), String);
  else catalogue.findPage = joining(catalogue.findPage.bind(catalogue), keyOfPage);
}

function keyOfPage({ status, afterId, limit }: PetPageQuery): string {
  return `${status ?? ''}/${afterId ?? ''}/${limit}`;
}

function joining<Call, Answer>(
  read: (call: Call) => Promise<Answer>,
  keyOf: (call: Call) => string,
): (call: Call) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (call) => {
    const key = keyOf(call);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const answer = read(call).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}

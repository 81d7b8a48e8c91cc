import { AsyncLocalStorage } from 'node:async_hooks';
import { OutsideUnitOfWorkError, UnitOfWork } from './unit-of-work.js';

/** What a unit of work that is under way has changed. */
class Changes {
  readonly values = new Map<InMemoryState<unknown>, unknown>();
  isOpen = true;
}

/** Units of work on what is kept in memory, one at a time: for tests and experiments. See {@link InMemoryState}. */
export class InMemoryUnitOfWork extends UnitOfWork {
  private readonly current = new AsyncLocalStorage<Changes>();
  private last: Promise<unknown> = Promise.resolve();

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.changes !== undefined) return work();
    const result = this.last.then(() => this.runAlone(work));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Those of the unit of work that the caller is in; `undefined` outside of one. */
  get changes(): Changes | undefined {
    const changes = this.current.getStore();
    return changes?.isOpen === true ? changes : undefined;
  }

  private async runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    const changes = new Changes();
    try {
      const result = await this.current.run(changes, work);
      for (const [state, value] of changes.values) state.keep(value);
      return result;
    } finally {
      changes.isOpen = false;
    }
  }
}

/**
 * A value that takes part in units of work, such as the rows of a repository: whoever is in one sees what it made of the
 * value, and everybody else what the last one left. It is replaced, never changed: its parts may be seen by others.
 */
export class InMemoryState<Value> {
  constructor(
    private readonly units: InMemoryUnitOfWork,
    private kept: Value,
  ) {}

  get value(): Value {
    const values = this.units.changes?.values;
    return values?.has(this) === true ? (values.get(this) as Value) : this.kept;
  }

  /** Only inside a unit of work: outside, two who read, change and write would lose what one of them wrote. */
  set value(value: Value) {
    if (this.units.changes === undefined) throw new OutsideUnitOfWorkError('A change of what is kept in memory');
    this.units.changes.values.set(this, value);
  }

  /** For the unit of work, when it is done. */
  keep(value: unknown): void {
    this.kept = value as Value;
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { OutsideUnitOfWorkError, UnitOfWork } from '@animal-store/kernel';

/** The changes of a unit of work that is in progress. */
class Changes {
  readonly values = new Map<InMemoryState<unknown>, unknown>();
  readonly afterCommit: (() => void | Promise<void>)[] = [];
  isOpen = true;
}

/** Units of work on values in memory ({@link InMemoryState}), one at a time. */
export class InMemoryUnitOfWork extends UnitOfWork {
  private readonly current = new AsyncLocalStorage<Changes>();
  private last: Promise<unknown> = Promise.resolve();

  override async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.changes !== undefined) return work();
    const changes = new Changes();
    const committed = this.last.then(() => this.runAlone(changes, work));
    this.last = committed.catch(() => undefined);
    const result = await committed;
    for (const after of changes.afterCommit) await runQuietly(after);
    return result;
  }

  override afterCommit(work: () => void | Promise<void>): void {
    if (this.changes === undefined) void runQuietly(work);
    else this.changes.afterCommit.push(work);
  }

  /** The changes of the current unit of work; `undefined` outside of a unit of work. */
  get changes(): Changes | undefined {
    const changes = this.current.getStore();
    return changes?.isOpen === true ? changes : undefined;
  }

  private async runAlone<Result>(changes: Changes, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.current.run(changes, work);
      for (const [state, value] of changes.values) state.keep(value);
      return result;
    } finally {
      changes.isOpen = false;
    }
  }
}

async function runQuietly(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // What was committed stays committed.
  }
}

/**
 * A value that takes part in units of work, such as the rows of a repository. Code inside a unit of work sees the value with its
 * changes. All other code sees the last committed value. Replace the value and never mutate it, because other code may hold it.
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

  /** Only inside a unit of work. Outside, two concurrent read-modify-write operations would lose one change. */
  set value(value: Value) {
    if (this.units.changes === undefined) throw new OutsideUnitOfWorkError('A change of what is kept in memory');
    this.units.changes.values.set(this, value);
  }

  /** Called by the unit of work when it commits. */
  keep(value: unknown): void {
    this.kept = value as Value;
  }
}

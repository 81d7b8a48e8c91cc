import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { nextPage } from '../../support/pages.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { curlScript } from '../curl-script.js';
import { PropertyError } from '../exploration.js';
import { createdId } from '../transcript.js';
import type { CatalogueModel } from './catalogue-model.js';
import type { Instances } from './instances.js';
import { creation, listTarget, petInputs, reading, shown, STATUSES, type PetInput } from './pet-input.js';

type Command = AsyncCommand<CatalogueModel, Instances>;

/** Ids that no pet has: at the ends of int64, beyond int64, and not a number. */
const NO_IDS = ['0', '-1', '1', '9223372036854775807', '9223372036854775808', '01', 'x'];

/** The commands that clients send to the catalogue, on this number of instances. */
export function catalogueCommands(instances: number): Arbitrary<Command>[] {
  const instance = fc.nat({ max: instances - 1 });
  const key = fc.constantFrom('a', 'b', "it's");
  const status = fc.constantFrom(undefined, ...STATUSES);
  const limit = fc.constantFrom(undefined, 1, 2, 3, 100);
  const calls: Arbitrary<Command>[] = [
    fc.tuple(instance, petInputs()).map(([at, pet]) => new Create(at, pet)),
    fc.tuple(instance, petInputs(), key, fc.boolean()).map((values) => new CreateOnce(...values)),
    fc.tuple(instance, fc.nat({ max: 5 }), fc.boolean()).map((values) => new Repeat(...values)),
    fc.tuple(instance, fc.nat({ max: 20 })).map(([at, place]) => new Get(at, place)),
    fc.tuple(instance, fc.constantFrom(...NO_IDS)).map(([at, id]) => new GetNone(at, id)),
    fc.tuple(instance, status, limit).map((values) => new List(...values)),
    fc.tuple(instance, fc.nat({ max: 20 })).map((values) => new Next(...values)),
  ];
  // All commands are equally likely, but a restart takes as long as a hundred calls. So the calls are listed twice.
  return [...calls, ...calls, instance.map((at) => new Restart(at))];
}

/** A command whose text shows it as a call. */
abstract class NamedCommand {
  protected constructor(private readonly values: readonly unknown[]) {}

  toString(): string {
    return `${this.constructor.name}(${this.values.map((value) => fc.stringify(value)).join(', ')})`;
  }
}

class Create extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly pet: PetInput,
  ) {
    super([instance, pet]);
  }

  check(): boolean {
    return true;
  }

  async run(model: CatalogueModel, instances: Instances): Promise<void> {
    await create(model, instances, this.instance, this.pet);
  }
}

class CreateOnce extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly pet: PetInput,
    private readonly key: string,
    private readonly isSpaced: boolean,
  ) {
    super([instance, pet, key, isSpaced]);
  }

  check(): boolean {
    return true;
  }

  async run(model: CatalogueModel, instances: Instances): Promise<void> {
    await create(model, instances, this.instance, this.pet, this.key, this.isSpaced);
  }
}

/** Sends an earlier creation with a key again. */
class Repeat extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly place: number,
    private readonly isSpaced: boolean,
  ) {
    super([instance, place, isSpaced]);
  }

  check({ keys }: CatalogueModel): boolean {
    return keys.size > 0;
  }

  async run(model: CatalogueModel, instances: Instances): Promise<void> {
    const [key, { input: pet }] = [...model.keys][this.place % model.keys.size]!;
    await create(model, instances, this.instance, pet, key, this.isSpaced);
  }
}

class Get extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly place: number,
  ) {
    super([instance, place]);
  }

  check({ pets }: CatalogueModel): boolean {
    return pets.length > 0;
  }

  async run({ pets }: CatalogueModel, instances: Instances): Promise<void> {
    const { id, text } = pets[this.place % pets.length]!;
    const answer = await instances.send(this.instance, reading(`/v1/pets/${id}`));
    expectAnswer(instances, answer, 200, text);
  }
}

class GetNone extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly id: string,
  ) {
    super([instance, id]);
  }

  check({ pets }: CatalogueModel): boolean {
    return !pets.some(({ id }) => String(id) === this.id);
  }

  async run(_model: CatalogueModel, instances: Instances): Promise<void> {
    expectAnswer(instances, await instances.send(this.instance, reading(`/v1/pets/${this.id}`)), 404);
  }
}

class List extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly status: string | undefined,
    private readonly limit: number | undefined,
  ) {
    super([instance, status, limit]);
  }

  check(): boolean {
    return true;
  }

  async run(model: CatalogueModel, instances: Instances): Promise<void> {
    const { status, limit } = this;
    const answer = await instances.send(this.instance, reading(listTarget(status, limit)));
    expectPage(model, instances, answer, { status, limit: limit ?? 20, after: 0n });
  }
}

/** Follows a link from an earlier list, which may be old. */
class Next extends NamedCommand implements Command {
  constructor(
    private readonly instance: number,
    private readonly place: number,
  ) {
    super([instance, place]);
  }

  check({ pages }: CatalogueModel): boolean {
    return pages.length > 0;
  }

  async run(model: CatalogueModel, instances: Instances): Promise<void> {
    const page = model.pages[this.place % model.pages.length]!;
    expectPage(model, instances, await instances.send(this.instance, reading(page.target)), page);
  }
}

class Restart extends NamedCommand implements Command {
  constructor(private readonly instance: number) {
    super([instance]);
  }

  check(): boolean {
    return true;
  }

  async run(_model: CatalogueModel, instances: Instances): Promise<void> {
    await instances.restart(this.instance);
  }
}

async function create(
  model: CatalogueModel,
  instances: Instances,
  instance: number,
  pet: PetInput,
  key?: string,
  isSpaced?: boolean,
): Promise<void> {
  const expected = model.expectCreation(pet, key);
  const answer = await instances.send(instance, creation(pet, key, isSpaced));
  if (expected.kind === 'reused') {
    expectAnswer(instances, answer, 422);
    return;
  }
  const isReplayed = answer.headers.get('idempotent-replayed') === 'true';
  if (expected.kind === 'replayed') {
    expectAnswer(instances, answer, 201, expected.pet.text);
    if (!isReplayed) fail(instances, 'the answer to a repeated creation does not say that it was given before');
    return;
  }
  const id = BigInt(createdId(answer) ?? -1);
  expectAnswer(instances, answer, 201, shown(id, pet));
  if (id <= model.lastId) fail(instances, `the new id ${id} is not above ${model.lastId}`);
  if (isReplayed) fail(instances, 'the answer to a first creation says that it was given before');
  model.add(id, pet, key);
}

function expectPage(
  model: CatalogueModel,
  instances: Instances,
  answer: RawAnswer,
  { status, limit, after }: { readonly status: string | undefined; readonly limit: number; readonly after: bigint },
): void {
  const { text, next } = model.page(status, limit, after);
  expectAnswer(instances, answer, 200, text);
  const target = nextPage(answer);
  if ((target === undefined) !== (next === undefined)) {
    fail(instances, `the page ${target === undefined ? 'names no next one' : `says that ${target} follows`}`);
  }
  if (target !== undefined) model.pages.push({ target, status, limit, after: next! });
}

/** @param text the text of the body; omitted if the body is an Error */
function expectAnswer(instances: Instances, answer: RawAnswer, status: number, text?: string): void {
  if (answer.status === status && (text === undefined || answer.text() === text)) return;
  fail(instances, `${answer.status} ${answer.text()} where ${status} ${text ?? ''} was expected`);
}

function fail({ transcript, preparation }: Instances, message: string): never {
  throw new PropertyError(`in the answer to the last request, ${message}`, curlScript(transcript.steps, preparation));
}

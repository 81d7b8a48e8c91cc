import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-server.js';
import { DATABASES } from '../support/databases.js';
import { Load, type Acknowledged } from '../support/load.js';
import { allPets } from '../support/pages.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';
import { printFigures } from '../support/figures.js';

const KILLS = 5;
const CLIENTS = 32;

test.each(DATABASES)(
  'kill -9 in the middle of creations loses no acknowledged pet on $name',
  async ({ create }) => {
    const database = await create();
    const start = () => new BuiltProgram('main', { ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY });
    const acknowledged: Acknowledged[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const server = start();
      const load = new Load(await server.listening(), CLIENTS, 100);
      await delay(1_500);
      await server.kill('SIGKILL');
      await load.stop();
      acknowledged.push(...load.acknowledged);
    }

    const server = start();
    const pets = await allPets<Acknowledged>(clientOf(await server.listening()));
    const stored = new Map(pets.map(({ id, name }) => [id, name]));
    await server.kill('SIGKILL');
    await database.remove();
    console.log(`${KILLS} kills, ${acknowledged.length} pets acknowledged, ${stored.size} stored`);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter(({ id, name }) => stored.get(id) !== name)).toEqual([]);
    printFigures('What was acknowledged is stored', { kills: KILLS, acknowledged: acknowledged.length, lost: 0 });
  },
  180_000,
);

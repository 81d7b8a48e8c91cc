import { freePort } from '../support/free-port.js';
import type { ServerDatabase } from '../support/databases.js';
import { startApp, type RunningApp } from '../support/running-app.js';

type Start = (database: ServerDatabase, variables: Record<string, string>) => Promise<RunningApp>;

/** Services in the states that a page needs, by the name after `service=`. A block without a name uses `usual`. */
export const SERVICES: Readonly<Record<string, Start>> = {
  usual: (database, variables) => startApp(database, variables),
  limited: (database, variables) => startApp(database, { ...variables, RATE_LIMIT_PER_MINUTE: '2' }),
  withoutDatabase: async (database, variables) => {
    const url = `postgresql://nobody:nothing@127.0.0.1:${await freePort()}/nowhere`;
    return startApp({ ...database, environment: { ...database.environment, DATABASE_URL: url } }, variables);
  },
};

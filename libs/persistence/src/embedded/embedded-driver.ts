import { PgliteDriver } from '@mikro-orm/pglite';
import { EmbeddedConnection } from './embedded-connection.js';

/** MikroORM's driver with an {@link EmbeddedConnection}. */
export class EmbeddedDriver extends PgliteDriver {
  protected override readonly connection = new EmbeddedConnection(this.config);
}

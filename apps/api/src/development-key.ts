import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ApiKeys, hashApiKey, newApiKey } from '@animal-store/auth';

/**
 * The API key of the embedded database. It is created at the first start, so that the service can be called immediately, and
 * stored beside the database for its owner alone. To get another one at the next start, delete the file or revoke the key.
 */
export class DevelopmentApiKey implements OnApplicationBootstrap {
  /** The key, after the application is initialised. */
  value = '';

  constructor(
    private readonly keys: ApiKeys,
    private readonly dataDir: string,
    private readonly prefix: string,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const file = join(this.dataDir, 'development-api-key');
    this.value = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    const stored = await this.keys.findByHash(hashApiKey(this.value));
    if (stored === undefined || stored.end !== undefined) {
      const created = newApiKey(this.prefix, 'development');
      await this.keys.put(created.stored);
      writeFileSync(file, `${created.secret}\n`, { mode: 0o600 });
      this.value = created.secret;
    }
    // Writing does not change the mode of an existing file.
    chmodSync(file, 0o600);
  }
}

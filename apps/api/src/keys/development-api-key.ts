import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey, hintOfApiKey } from '@animal-store/auth';

const PREFIX = 'asdev';
const NAME = 'development';

/**
 * The API key of the embedded database: made at the first start, so that the service can be called at once.
 * It lies beside the database, readable by its owner only. Delete the file, or revoke the key, to get another one at the
 * next start.
 */
@Injectable()
export class DevelopmentApiKey implements OnApplicationBootstrap {
  private key: string | undefined;

  constructor(
    private readonly keys: ApiKeys,
    private readonly dataDir: string,
  ) {}

  /** The key, once the application is initialised. */
  get value(): string {
    if (this.key === undefined) throw new Error('The application is not initialised yet');
    return this.key;
  }

  async onApplicationBootstrap(): Promise<void> {
    const file = join(this.dataDir, 'development-api-key');
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
    this.key = kept !== undefined && (await this.opens(kept)) ? kept : await this.renew(file);
    // A file that was there keeps its mode when it is written.
    chmodSync(file, 0o600);
  }

  private async opens(key: string): Promise<boolean> {
    return (await this.keys.findByHash(hashApiKey(key))) !== undefined;
  }

  private async renew(file: string): Promise<string> {
    const key = generateApiKey(PREFIX);
    await this.keys.put(new ApiKey(NAME, hashApiKey(key), undefined, hintOfApiKey(key)));
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  }
}

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Module, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey, hintOfApiKey } from '@animal-store/auth';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';

const PREFIX = 'asdev';
const NAME = 'development';

/**
 * The API key of the embedded database. It is created at the first start, so that the service can be called
 * immediately. It is stored beside the database, readable only by its owner. To get another key at the next start,
 * delete the file or revoke the key.
 */
@Injectable()
export class DevelopmentApiKey implements OnApplicationBootstrap {
  private key: string | undefined;

  constructor(
    private readonly keys: ApiKeys,
    private readonly dataDir: string,
  ) {}

  /** The key, after the application is initialised. */
  get value(): string {
    if (this.key === undefined) throw new Error('The application is not initialised yet');
    return this.key;
  }

  async onApplicationBootstrap(): Promise<void> {
    const file = join(this.dataDir, 'development-api-key');
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
    this.key = kept !== undefined && (await this.opens(kept)) ? kept : await this.renew(file);
    // Writing does not change the mode of an existing file.
    chmodSync(file, 0o600);
  }

  private async opens(key: string): Promise<boolean> {
    const stored = await this.keys.findByHash(hashApiKey(key));
    return stored !== undefined && stored.end === undefined;
  }

  private async renew(file: string): Promise<string> {
    const key = generateApiKey(PREFIX);
    await this.keys.put(new ApiKey(NAME, hashApiKey(key), undefined, hintOfApiKey(key)));
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return key;
  }
}

/** Creates the key of the embedded database. */
@Module({})
export class DevelopmentKeysModule {
  static forRoot(dataDir: string): DynamicModule {
    return {
      module: DevelopmentKeysModule,
      imports: [ApiKeysPersistenceModule],
      providers: [
        {
          provide: DevelopmentApiKey,
          useFactory: (keys: ApiKeys) => new DevelopmentApiKey(keys, dataDir),
          inject: [ApiKeys],
        },
      ],
    };
  }
}

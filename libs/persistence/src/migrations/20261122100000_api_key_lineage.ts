import { Migration } from '@mikro-orm/migrations';

/** The lineage of keys: rotated keys share it, a new key with an old name does not. */
export class ApiKeyLineage extends Migration {
  override up(): void {
    // Existing keys, and keys that the previous version adds, get no lineage: their holder is their name.
    this.addSql('alter table "api_keys" add column "lineage_id" bigint null');
  }

  override down(): void {
    this.addSql('alter table "api_keys" drop column "lineage_id"');
  }
}

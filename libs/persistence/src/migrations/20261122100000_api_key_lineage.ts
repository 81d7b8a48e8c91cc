import { Migration } from '@mikro-orm/migrations';

/** Which keys were rotated from one another, so that a new key under an old name is told apart from those. */
export class ApiKeyLineage extends Migration {
  override up(): void {
    // No key that is there gets one: what was done with it goes by its name. Nor does one that the version before adds.
    this.addSql('alter table "api_keys" add column "lineage_id" bigint null');
  }

  override down(): void {
    this.addSql('alter table "api_keys" drop column "lineage_id"');
  }
}

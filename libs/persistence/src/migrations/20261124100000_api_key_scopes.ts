import { Migration } from '@mikro-orm/migrations';

/** What a key may do. Existing keys, and keys that the previous version adds, get no list: they may do everything. */
export class ApiKeyScopes extends Migration {
  override up(): void {
    this.addSql('alter table "api_keys" add column "scopes" text[] null');
  }

  override down(): void {
    // The previous version knows no scopes: such keys would be allowed everything.
    this.addSql('update "api_keys" set "revoked_at" = now() where "scopes" is not null and "revoked_at" is null');
    this.addSql('alter table "api_keys" drop column "scopes"');
  }
}

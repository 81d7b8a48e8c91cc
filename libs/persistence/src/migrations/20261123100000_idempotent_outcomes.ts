import { Migration } from '@mikro-orm/migrations';

/** The response bodies of requests whose outcome is more than an id. */
export class IdempotentOutcomes extends Migration {
  override up(): void {
    // The previous version does not use the column, and only reads the keys of its own operation.
    this.addSql('alter table "idempotency_keys" add column "result_text" text null');
  }

  override down(): void {
    // The previous version has one operation. The fingerprints of other operations differ from those of its requests.
    this.addSql('alter table "idempotency_keys" drop column "result_text"');
  }
}

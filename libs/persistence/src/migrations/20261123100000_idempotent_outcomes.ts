import { Migration } from '@mikro-orm/migrations';

/** The answers of requests whose outcome is more than an id. */
export class IdempotentOutcomes extends Migration {
  override up(): void {
    // The version before leaves it out, and asks for keys of its own operation alone.
    this.addSql('alter table "idempotency_keys" add column "result_text" text null');
  }

  override down(): void {
    // The version before knows no other operation than its own: it tells the fingerprints of the others from those.
    this.addSql('alter table "idempotency_keys" drop column "result_text"');
  }
}

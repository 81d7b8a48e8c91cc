import { Migration } from '@mikro-orm/migrations';

/** The uses of `Idempotency-Key`s, so that no request is carried out twice. */
export class IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table "idempotency_keys" (
        "holder" varchar(255) not null,
        "key" varchar(255) not null,
        "content_hash" char(64) not null,
        "outcome_id" bigint null,
        "outcome_text" text null,
        "created_at" timestamptz not null default now(),
        constraint "idempotency_keys_pkey" primary key ("holder", "key")
      )`);
    this.addSql('create index "idempotency_keys_created_at_index" on "idempotency_keys" ("created_at")');
  }

  override down(): void {
    this.addSql('drop table "idempotency_keys"');
  }
}

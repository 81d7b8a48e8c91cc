import { Migration } from '@mikro-orm/migrations';

/** Needs an exclusive lock on the table of pets for a moment. */
export class Mood extends Migration {
  override up(): void {
    this.addSql('alter table "pets" add column "mood" text null');
  }

  override down(): void {
    this.addSql('alter table "pets" drop column "mood"');
  }
}

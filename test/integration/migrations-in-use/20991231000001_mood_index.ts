import { Migration } from '@mikro-orm/migrations';

/** Allows other sessions to read and write during the migration. */
export class MoodIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('create index concurrently if not exists "pets_mood_index" on "pets" ("mood")');
  }

  override down(): void {
    this.addSql('drop index concurrently "pets_mood_index"');
  }
}

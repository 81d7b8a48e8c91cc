import { Migration } from '@mikro-orm/migrations';

/** Allows other sessions to read and write during the migration. */
export class MoodIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // An earlier run that ended before it was recorded may have left an index, perhaps an invalid one.
    this.addSql('drop index concurrently if exists "pets_mood_index"');
    this.addSql('create index concurrently "pets_mood_index" on "pets" ("mood")');
  }

  override down(): void {
    this.addSql('drop index concurrently "pets_mood_index"');
  }
}

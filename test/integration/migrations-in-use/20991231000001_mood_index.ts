import { Migration } from '@mikro-orm/migrations';

/** Lets others read and write meanwhile. */
export class MoodIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('create index concurrently "pets_mood_index" on "pets" ("mood")');
  }

  override down(): void {
    this.addSql('drop index concurrently "pets_mood_index"');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** A table that needs an extension that PGlite does not have. */
export class Places extends Migration {
  override up(): void {
    this.addSql('create extension postgis');
  }
}

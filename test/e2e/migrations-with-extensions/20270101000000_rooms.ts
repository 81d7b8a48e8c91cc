import { Migration } from '@mikro-orm/migrations';

/** A table that needs extensions. */
export class Rooms extends Migration {
  override up(): void {
    this.addSql('create extension if not exists btree_gist');
    this.addSql('create extension if not exists "uuid-ossp"');
    this.addSql(`
      create table rooms (
        id uuid primary key default uuid_generate_v4(), room int, time int4range,
        constraint rooms_excl exclude using gist (room with =, time with &&)
      )`);
  }
}

/** The machine and the software with which the figures were measured. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';
import { URL } from 'node:url';
import { loadGenerator } from '../load/load-generator.mjs';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export function machineRows(postgres) {
  const [cpu] = cpus();
  return [
    ['machine', `${cpus().length} x ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`],
    ['system', `${type()} ${release()}`],
    ['commit', commit()],
    ['Node.js', process.version],
    ['PostgreSQL', postgres.name.replace('PostgreSQL ', '')],
    ['load', loadGenerator],
    ['raw-pg', versions('pg')],
    ['fastify-pg', versions('fastify', 'pg')],
    ['express-pg', versions('express', 'pg')],
    ['nest-typeorm', versions('@nestjs/core', '@nestjs/typeorm', 'typeorm', 'class-validator')],
    ['nest-prisma', versions('@nestjs/core', '@prisma/client', '@prisma/adapter-pg')],
    ['nest-mikroorm', versions('@nestjs/core', '@mikro-orm/nestjs', '@mikro-orm/postgresql')],
  ];
}

function versions(...names) {
  return names.map((name) => `${name} ${dependencies[name]}`).join(', ');
}

function commit() {
  try {
    const git = (...args) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    // Changes of the documentation are ignored: they change no figure, and the report of the previous section is one of them.
    const isChanged = git('status', '--porcelain', '--', ':(top,exclude)docs') !== '';
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '');
  } catch {
    return 'unknown';
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly command?: string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly logging?: { options: Record<string, string> };
}

const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

describe('the image', () => {
  test('opens no debugger to SIGUSR1', () => {
    expect(JSON.parse(/^CMD (.*)$/m.exec(DOCKERFILE)?.[1] ?? '[]')).toContain('--disable-sigusr1');
    expect(services['migrate']?.command).toContain('--disable-sigusr1');
  });
});

describe.each(Object.entries(services))('the container %s', (_name, service) => {
  test('has bounds for memory, processes and log', () => {
    expect(service.mem_limit).toMatch(/^[0-9]+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
  });
});

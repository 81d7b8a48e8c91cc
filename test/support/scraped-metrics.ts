import type { NestExpressApplication } from '@nestjs/platform-express';
import { MetricsServer } from '@animal-store/metrics';

/** The setting that makes an application serve its metrics on any free port. */
export const WITH_METRICS = { METRICS_PORT: '0' };

/** The metrics that Prometheus would read now. */
export class Scrape {
  private constructor(readonly text: string) {}

  static async of(app: NestExpressApplication): Promise<Scrape> {
    return await Scrape.at(metricsUrl(app));
  }

  /** The metrics of a separate program. */
  static async at(url: string): Promise<Scrape> {
    return new Scrape(await (await fetch(url)).text());
  }

  /** The names of all metrics, without the suffixes of the lines of a histogram. */
  get names(): string[] {
    return [...this.text.matchAll(/^# TYPE (?<name>\S+)/gm)].map((found) => found[1]!);
  }

  /** The value of the only line with this name and these labels; `undefined` if there is no such line. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const lines = this.text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => wanted.every((pair) => line.includes(pair)));
    if (lines.length > 1) throw new Error(`More than one line fits:\n${lines.join('\n')}`);
    return lines[0] === undefined ? undefined : Number(lines[0].slice(lines[0].lastIndexOf(' ')));
  }
}

export function metricsUrl(app: NestExpressApplication): string {
  return `http://127.0.0.1:${app.get(MetricsServer, { strict: false }).port}/metrics`;
}

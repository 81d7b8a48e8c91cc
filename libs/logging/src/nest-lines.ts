/** The contexts of Nest's lines about its start. They are logged only at `LOG_LEVEL=debug`. */
const NEST_START = new Set<unknown>([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** The contexts whose errors are also thrown. The program that starts the application reports these errors. */
const THROWN = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

const INFO = 30;
const ERROR = 50;

/** Whether a line of Nest is logged only at `LOG_LEVEL=debug`. */
export function isForDebugging([first]: readonly unknown[], level: number): boolean {
  const context = isObject(first) ? first['context'] : undefined;
  return (level === INFO && NEST_START.has(context)) || (level === ERROR && THROWN.has(context));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

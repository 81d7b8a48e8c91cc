/** What a process opens beside the connections of clients: files of Node, the log, the database, and the port of the metrics. */
const OTHER_FILES = 200;

/** The part of Node's diagnostic report that has the limits of the process. */
interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
}

/** The number of files that the process may open; `undefined` where there is no limit, or none is known (Windows). */
export function openFilesLimit(): number | undefined {
  const limit = (process.report.getReport() as Report).userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : undefined;
}

/** A warning, if the process may open too few files for its connections; a connection is a file. */
export function openFilesWarning(maxConnections: number, limit: number | undefined): string | undefined {
  const needed = maxConnections + OTHER_FILES;
  if (limit === undefined || limit >= needed) return undefined;
  return (
    `The process may open ${limit} files, which is too few for MAX_CONNECTIONS=${maxConnections}: ` +
    `allow ${needed} (ulimit -n, LimitNOFILE), or set fewer connections`
  );
}

/** A layer of Express's router, as far as it is looked at here: what a path must match, and the route behind it. */
export interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Whether the layer is one of the routes of FallbackController: those alone take every method. */
export function isFallback({ route }: RouteLayer): boolean {
  return route?.methods['trace'] === true;
}

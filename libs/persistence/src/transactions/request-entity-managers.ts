import { RequestContext, type EntityManager } from '@mikro-orm/core';
import type { Requests } from '../database-settings.js';

/**
 * For the option `context` of MikroORM: where the injected entity manager or a repository of it is used inside a request, it
 * is a fork that belongs to the request, made at its first use.
 */
export class RequestEntityManagers {
  private readonly forks = new WeakMap<object, EntityManager>();
  private root: EntityManager | undefined;
  private forking = false;

  constructor(private readonly requests: Requests | undefined) {}

  /** @param root the entity manager of the application: before, no request has one */
  forkFrom(root: EntityManager): this {
    this.root = root;
    return this;
  }

  /** The one of `@CreateRequestContext`, `@EnsureRequestContext` or `RequestContext.create`, or else that of the request. */
  find(name?: string): EntityManager | undefined {
    return RequestContext.getEntityManager(name) ?? this.ofRequest();
  }

  private ofRequest(): EntityManager | undefined {
    // MikroORM asks while it forks, too.
    if (this.forking || this.root === undefined) return undefined;
    const request = this.requests?.current();
    if (request === undefined) return undefined;
    return this.forks.get(request) ?? this.forkFor(request, this.root);
  }

  private forkFor(request: object, root: EntityManager): EntityManager {
    this.forking = true;
    try {
      const fork = root.fork({ useContext: true, disableContextResolution: true });
      this.forks.set(request, fork);
      return fork;
    } finally {
      this.forking = false;
    }
  }
}

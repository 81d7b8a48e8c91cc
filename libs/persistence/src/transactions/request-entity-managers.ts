import { RequestContext, type EntityManager } from '@mikro-orm/core';
import type { Requests } from '../database-settings.js';

/**
 * For the option `context` of MikroORM: inside a request the injected entity manager and its repositories use a fork that belongs
 * to the request. The fork is made at its first use.
 */
export class RequestEntityManagers {
  private readonly forks = new WeakMap<object, EntityManager>();
  private root: EntityManager | undefined;
  private forking = false;

  constructor(private readonly requests: Requests | undefined) {}

  /** @param root the entity manager of the application; before this call requests have no entity manager */
  forkFrom(root: EntityManager): this {
    this.root = root;
    return this;
  }

  /** The entity manager of `@CreateRequestContext`, `@EnsureRequestContext` or `RequestContext.create`; otherwise that of the request. */
  find(name?: string): EntityManager | undefined {
    return RequestContext.getEntityManager(name) ?? this.ofRequest();
  }

  private ofRequest(): EntityManager | undefined {
    // MikroORM also calls this method during a fork.
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

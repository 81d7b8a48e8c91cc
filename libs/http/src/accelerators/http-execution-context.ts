import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

type HttpArgumentsHost = ReturnType<ExecutionContextHost['switchToHttp']>;

/** The execution context for guards. Nest's own context creates these functions again in each call of `switchToHttp()`. */
export class HttpExecutionContext extends ExecutionContextHost implements HttpArgumentsHost {
  override switchToHttp(): HttpArgumentsHost {
    return this;
  }

  getRequest(): never {
    return this.getArgByIndex(0);
  }

  getResponse(): never {
    return this.getArgByIndex(1);
  }

  getNext(): never {
    return this.getArgByIndex(2);
  }
}

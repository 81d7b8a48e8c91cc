import { Injectable, StandardSchemaValidationPipe, type OnModuleInit, type Type } from '@nestjs/common';
import { PIPES_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { routeHandlers, type RouteHandler } from '../requests/route-handlers.js';
import { parametersOf, routeInput } from '../requests/route-input.js';

/** The metadata of `@WebSocketGateway()` on a class, and of `@MessagePattern()` or `@EventPattern()` on a method. */
const OTHER_PROTOCOLS = { gateway: 'websockets:is_gateway', message: 'microservices:pattern' } as const;

/** A declaration that would have no effect in this service. */
class MisleadingDeclarationError extends Error {}

/** Refuses to start an application with declarations that would have no effect, or routes that no request could reach. */
@Injectable()
export class RouteDeclarationCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {}

  /** @throws MisleadingDeclarationError that names the class, the method and the right way */
  onModuleInit(): void {
    this.refuseOtherProtocols();
    for (const route of routeHandlers(this.modules)) {
      refuseUnreadableFiles(route);
      this.refuseUncheckedSchemas(route);
    }
  }

  private refuseOtherProtocols(): void {
    const classes = [...this.modules.values()].flatMap(({ controllers, providers }) =>
      [...controllers.values(), ...providers.values()].map(({ metatype }) => metatype as Type | null | undefined),
    );
    for (const type of classes) {
      if (typeof type !== 'function') continue;
      if (Reflect.hasMetadata(OTHER_PROTOCOLS.gateway, type)) {
        throw new MisleadingDeclarationError(
          `${type.name} is a @WebSocketGateway(): the server offers no other protocol than HTTP. @Sse() sends events`,
        );
      }
      const message = methodsOf(type).find(([, method]) => Reflect.hasMetadata(OTHER_PROTOCOLS.message, method));
      if (message !== undefined) {
        throw new MisleadingDeclarationError(
          `${type.name}.${message[0]} takes messages: the server takes HTTP alone. Start a microservice of its own for them`,
        );
      }
    }
  }

  /** Nest leaves the schema of a parameter to a pipe that the application must register. */
  private refuseUncheckedSchemas({ prototype, controller, name, handler }: RouteHandler): void {
    const type = prototype.constructor as Type;
    const parameter = parametersOf(type, name).find(({ schema, pipes }) => schema !== undefined && pipes.length === 0);
    if (parameter === undefined || this.isChecked(type, handler)) return;
    throw new MisleadingDeclarationError(
      `A parameter of ${controller}.${name} has a schema, and no pipe looks at it: call ` +
        'app.useGlobalPipes(new StandardSchemaValidationPipe()) in configure, or give the parameter { schema, pipes: [...] }',
    );
  }

  private isChecked(controller: Type, handler: object): boolean {
    return (
      [handler, controller].some((target) => Reflect.hasMetadata(PIPES_METADATA, target)) ||
      this.config.getGlobalPipes().some((pipe) => pipe instanceof StandardSchemaValidationPipe) ||
      this.config.getGlobalRequestPipes().some(({ metatype }) => metatype === StandardSchemaValidationPipe)
    );
  }
}

function refuseUnreadableFiles({ prototype, controller, name, handler }: RouteHandler): void {
  const type = prototype.constructor as Type;
  const takesFiles = parametersOf(type, name).some(
    ({ kind }) => kind === RouteParamtypes.FILE || kind === RouteParamtypes.FILES,
  );
  if (!takesFiles || routeInput(type, handler).ownMediaTypes.length > 0) return;
  throw new MisleadingDeclarationError(
    `${controller}.${name} takes files, and does not say that it takes another media type than JSON: give it ` +
      "@ApiConsumes('multipart/form-data')",
  );
}

function methodsOf({ prototype }: Type): [name: string, method: object][] {
  return Object.entries(Object.getOwnPropertyDescriptors((prototype ?? {}) as object)).flatMap(([name, { value }]) =>
    typeof value === 'function' ? [[name, value as object]] : [],
  );
}

import { Injectable, StandardSchemaValidationPipe, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import {
  declaredParameters,
  declaredRoutes,
  hasPipes,
  ParameterKind,
  routeInput,
  type DeclaredRoute,
} from '../requests/route-metadata.js';

/** The metadata of `@WebSocketGateway()` on a class. */
const GATEWAY = 'websockets:is_gateway';

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
    this.refuseGateways();
    for (const route of declaredRoutes(this.modules)) {
      refuseUnreadableFiles(route);
      this.refuseUncheckedSchemas(route);
    }
  }

  private refuseGateways(): void {
    for (const { providers } of this.modules.values()) {
      for (const { metatype } of providers.values()) {
        if (typeof metatype !== 'function' || !Reflect.hasMetadata(GATEWAY, metatype)) continue;
        throw new MisleadingDeclarationError(
          `${metatype.name} is a @WebSocketGateway(): the server offers no other protocol than HTTP. @Sse() sends events`,
        );
      }
    }
  }

  /** Nest leaves the schema of a parameter to a pipe that the application must register. */
  private refuseUncheckedSchemas(route: DeclaredRoute): void {
    const { controller, name } = route;
    const isUnpiped = declaredParameters(controller, name).some(
      ({ schema, pipes }) => schema !== undefined && pipes.length === 0,
    );
    if (!isUnpiped || this.isChecked(route)) return;
    throw new MisleadingDeclarationError(
      `A parameter of ${controller.name}.${name} has a schema, and no pipe looks at it: call ` +
        'app.useGlobalPipes(new StandardSchemaValidationPipe()) in configure, or give the parameter { schema, pipes: [...] }',
    );
  }

  private isChecked(route: DeclaredRoute): boolean {
    return (
      hasPipes(route) ||
      this.config.getGlobalPipes().some((pipe) => pipe instanceof StandardSchemaValidationPipe) ||
      this.config.getGlobalRequestPipes().some(({ metatype }) => metatype === StandardSchemaValidationPipe)
    );
  }
}

function refuseUnreadableFiles({ controller, name, handler }: DeclaredRoute): void {
  const takesFiles = declaredParameters(controller, name).some(
    ({ kind }) => kind === ParameterKind.FILE || kind === ParameterKind.FILES,
  );
  if (!takesFiles || routeInput(controller, handler).ownMediaTypes.length > 0) return;
  throw new MisleadingDeclarationError(
    `${controller.name}.${name} takes files, and does not say that it takes another media type than JSON: give it ` +
      "@ApiConsumes('multipart/form-data')",
  );
}

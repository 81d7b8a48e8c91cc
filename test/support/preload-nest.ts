// Packages of CommonJS that require Nest find it loaded, as they do in the server. Jest refuses to load it for them while it
// links the modules of a test: "Cannot require() ES Module in a cycle".
import '@nestjs/common';
import '@nestjs/core';

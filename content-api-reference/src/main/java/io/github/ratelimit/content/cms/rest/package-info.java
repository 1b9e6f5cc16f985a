/**
 * The frame of the content interface: how a route is declared, and the one path that a request travels.
 *
 * <p>A route is declared once, as a {@link io.github.ratelimit.content.cms.rest.Route}: its namespace and path, and for each
 * way to use it the methods, the {@linkplain io.github.ratelimit.content.cms.rest.Argument arguments} with their
 * {@linkplain io.github.ratelimit.content.cms.rest.Schema schema}, who may, whether it may be batched, and the handler. From
 * that declaration come matching, reading and checking of arguments, the permission check, the index document, the
 * namespace indexes, {@code OPTIONS}, {@code Allow} and the rules of a batch.
 *
 * <p>To add a route, declare a bean that is a {@link io.github.ratelimit.content.cms.rest.Route.Source}:
 *
 * <pre>{@code
 * @Component
 * @Order(300)                                             // the place in the index
 * class GreetingRoutes implements Route.Source {
 *     public List<Route> routes() {
 *         return List.of(Route.at("cms/v2", "/greetings/<id>")                  // <id>: digits; <name:regex>: another shape
 *                 .on(RestMethod.GET)
 *                 .accepts(Arguments.of(
 *                         Argument.optional("id", Schema.integer("Unique identifier.")),
 *                         Argument.optional("loud", Schema.bool().defaultsTo(false))))
 *                 .allowedTo(Route.Permission.ANYONE)           // or a check that throws RestError.forbidden(...)
 *                 .servedBy(request -> {
 *                     long id = request.arguments().number("id");
 *                     boolean loud = request.arguments().flag("loud");
 *                     return RestAnswer.ok(greeting(id, loud));      // a Jackson tree, _links among its members
 *                 })
 *                 .build());
 *     }
 * }
 * }</pre>
 *
 * <p>A request goes one way: {@code RestServlet} (HTTP) → {@link io.github.ratelimit.content.cms.rest.RestRequest} (method after
 * override, route, arguments by source, caller) → {@link io.github.ratelimit.content.cms.rest.Dispatcher} (route, typed
 * arguments) → {@link io.github.ratelimit.content.cms.rest.PageCache} (strangers only) → permission → handler →
 * {@link io.github.ratelimit.content.cms.rest.RestAnswer} → shaping ({@code _fields}, {@code _embed}, {@code _envelope}) → bytes.
 * An endpoint that is about something finds it first, and its handler gets it. Permissions and handlers reject with
 * {@link io.github.ratelimit.content.cms.rest.RestError}; a rejected request, and one that fails, are answers too. What may be
 * asked for twice in a request is found by a {@link io.github.ratelimit.content.cms.rest.Lookup}: for the {@code Allow} header each
 * endpoint of the route is asked again after the handler.
 *
 * <p>A thing that is shown and written has a table of {@link io.github.ratelimit.content.cms.rest.Fields}: schema, arguments,
 * view and writing all come from it.
 *
 * <p>Files that are uploaded come in the {@link io.github.ratelimit.content.cms.rest.RestRequest.Body}. Lists answer through
 * {@link io.github.ratelimit.content.cms.rest.Paging}. An answer that is no JSON is a
 * {@link io.github.ratelimit.content.cms.rest.RestAnswer.Body#text}. A link with {@code "embeddable": true} is followed by
 * {@code _embed} without any code.
 */
@NullMarked
package io.github.ratelimit.content.cms.rest;

import org.jspecify.annotations.NullMarked;

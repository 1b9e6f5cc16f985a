package io.github.ratelimit.content.cms.rest;

import java.time.ZoneId;

/**
 * What the site says about itself.
 *
 * @param title its name
 * @param tagline what it is about
 * @param zone whose time its dates are
 */
public record Site(String title, String tagline, ZoneId zone) {}

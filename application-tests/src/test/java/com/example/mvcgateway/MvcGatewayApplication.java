package com.example.mvcgateway;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Cloud Gateway on Spring MVC before a service. */
@SpringBootApplication
public class MvcGatewayApplication {}

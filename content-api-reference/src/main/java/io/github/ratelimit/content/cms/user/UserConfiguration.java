package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.cms.security.AccountMembers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tells those who keep accounts what is declared of them. */
@Configuration(proxyBeanMethods = false)
class UserConfiguration {

    @Bean
    AccountMembers accountMembers() {
        return new AccountMembers(UserFields.TABLE.stored());
    }
}

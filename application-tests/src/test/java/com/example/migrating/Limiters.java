package com.example.migrating;

import org.springframework.stereotype.Component;

@Component
class Limiters {}
